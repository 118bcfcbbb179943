package main

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// entry is a line of a log in klog's text format.
type entry struct {
	at   time.Time
	text string // the message
	rest string // the keys and values
}

// readLog returns the lines of a log that have a message.
func readLog(file string) (entries []entry, err error) {
	log, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(log) {
		if e, ok := parseEntry(string(line), time.Now()); ok {
			entries = append(entries, e)
		}
	}
	return entries, nil
}

// parseEntry reads a line such as
//
//	I0102 15:04:05.000000    4711 file.go:12] "Message" key="value" other=1
//
// of which the year is left out: it is that of now.
func parseEntry(line string, now time.Time) (e entry, ok bool) {
	head, body, found := strings.Cut(line, "] ")
	fields := strings.Fields(head)
	if !found || len(fields) < 2 || len(fields[0]) != 5 || !strings.HasPrefix(body, `"`) {
		return e, false
	}
	at, err := time.ParseInLocation("20060102 15:04:05.000000", strconv.Itoa(now.Year())+fields[0][1:]+" "+fields[1], time.Local)
	if err != nil {
		return e, false
	}
	quoted, err := strconv.QuotedPrefix(body)
	if err != nil {
		return e, false
	}
	e = entry{at: at, rest: strings.TrimSpace(body[len(quoted):])}
	e.text, err = strconv.Unquote(quoted)
	return e, err == nil
}

// value returns the value of a key, without quotes, or "".
func (e *entry) value(key string) string {
	_, value, found := strings.Cut(" "+e.rest, " "+key+"=")
	if !found {
		return ""
	}
	if quoted, err := strconv.QuotedPrefix(value); err == nil {
		value, _ = strconv.Unquote(quoted)
		return value
	}
	value, _, _ = strings.Cut(value, " ")
	return value
}

// instant returns the value of a key that is a time, as package time prints it.
func (e *entry) instant(key string) (time.Time, error) {
	value, _, _ := strings.Cut(e.value(key), " m=")
	return time.Parse("2006-01-02 15:04:05.999999999 -0700 MST", value)
}
