module github.com/tolero-dev/tolero

go 1.26
