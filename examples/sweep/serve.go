package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
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
		Handler: onlyHere(live, listener.Addr()), ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime,
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

// onlyHere refuses requests for other names than those of this machine, if the address is
// one that only this machine reaches: a page of a stranger, whose name was made to lead
// here, asks for that name.
func onlyHere(next http.Handler, at net.Addr) http.Handler {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || !tcp.IP.IsLoopback() {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = strings.Trim(r.Host, "[]") // without a port
		}
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(w, "not here", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
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
