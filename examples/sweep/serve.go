package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/page"
)

// Limits of the server of -serve.
const (
	headerTime  = 5 * time.Second
	readTime    = 10 * time.Second
	writeTime   = time.Minute
	idleTime    = 2 * time.Minute
	endTime     = 5 * time.Second // for answers that are under way when the program ends
	headerBytes = 16 << 10
)

// serve serves the page that -serve asks for until ctx ends.
func (p *program) serve(ctx context.Context, o *options, out io.Writer) error {
	c, err := p.load(o)
	if err != nil {
		return err
	}
	live := page.NewLive(c.page)
	listener, err := net.Listen("tcp", loopback(o.serve))
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler: live, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime,
		MaxHeaderBytes: headerBytes, ErrorLog: log.New(io.Discard, "", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	if _, err = fmt.Fprintf(out, "http://%s%s\n", listener.Addr(), live.Path()); err == nil {
		select {
		case err = <-ended:
			return err
		case <-ctx.Done():
		}
	}
	return errors.Join(err, shutdown(server))
}

// shutdown ends the server, and what takes too long.
func shutdown(server *http.Server) error {
	ctx, stop := context.WithTimeout(context.Background(), endTime)
	defer stop()
	if err := server.Shutdown(ctx); err != nil {
		return server.Close()
	}
	return nil
}

// loopback returns the address to listen on: without a host, this machine only.
func loopback(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err == nil && host == "" {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return address
}
