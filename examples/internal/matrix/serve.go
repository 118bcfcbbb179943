package matrix

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/examples/internal/page"
)

// Limits of the server, of which those that tests wait for are variables.
var (
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
	endTime    = 5 * time.Second // for answers that are under way when the program ends
)

const (
	writeTime   = time.Minute
	idleTime    = 2 * time.Minute
	headerBytes = 16 << 10
)

// Serve is tolero serve.
var Serve = command.Command{
	Name:    "serve",
	Summary: "the page on this machine, which answers plans, pods and outages",
	Usage:   "[ADDRESS]",
	About: `
Prints the address of the page, which has a secret in it. Without a host the ADDRESS, such as
:8080, is that of this machine only; without an ADDRESS any free port is taken. Nothing
changes anywhere.
` + realLists,
	Examples: `
  # your cluster
  ` + command.Dump + ` | tolero serve :8080 -f -`,
	Flags: poolFlag + fleetFlags,
	Run:   runServe,
}

func runServe(p *command.Program, args []string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return serve(ctx, p, args)
}

// serve serves the page until ctx ends.
func serve(ctx context.Context, p *command.Program, args []string) error {
	o := new(options)
	flags := o.flags(p)
	flags.StringVar(&o.pool, "pool", "", "")
	if err := p.Parse(flags, args, 1); err != nil {
		return err
	}
	address := strings.Join(append([]string{}, o.Args...), "")
	if address == "" {
		address = ":0"
	}
	if !isAddress(address) {
		return command.Usagef("the address must be such as :8080 or 127.0.0.1:0, not %q", address)
	}
	if err := o.validate(); err != nil {
		return err
	}
	c, err := load(p, o)
	if err != nil {
		return err
	}
	live, err := page.NewLive(c.page(o))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", loopback(address))
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler: onlyHere(live, listener.Addr()), ReadHeaderTimeout: headerTime, ReadTimeout: readTime, WriteTimeout: writeTime, IdleTimeout: idleTime,
		MaxHeaderBytes: headerBytes, ErrorLog: log.New(io.Discard, "", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	if _, err = fmt.Fprintf(p.Stdout, "http://%s%s\n", listener.Addr(), live.Path()); err == nil {
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

// isAddress reports whether text has a host, which may be empty, and a port.
func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	return err == nil && port != ""
}
