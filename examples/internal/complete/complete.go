// Package complete completes the command line of tolero, for shells and for kubectl.
package complete

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tolero-dev/tolero/examples/internal/command"
)

//go:embed shell
var shells embed.FS

// Script returns what bash, zsh or fish is to source.
func Script(shell string) (string, error) {
	text, err := shells.ReadFile("shell/tolero." + shell)
	if err != nil || !slices.Contains([]string{"bash", "zsh", "fish"}, shell) {
		return "", fmt.Errorf("unknown shell %q; there are bash, zsh and fish", shell)
	}
	return string(text), nil
}

// Words returns, a line each, what the last of the words may become that follow the name of the
// program, and a line for kubectl: whether the names of files are meant if there is nothing else,
// as the library cobra has it. It takes flags from the help.
func Words(commands []*command.Command, words []string) string {
	last, before := "", words
	if len(words) > 0 {
		last, before = words[len(words)-1], words[:len(words)-1]
	}
	c, first := commands[0], len(before) == 0
	for _, named := range commands {
		if len(before) > 0 && before[0] == named.Name {
			c = named
		}
	}
	flags, flag := flagsOf(c), "" // before the last word
	if !first {
		if flag = before[len(before)-1]; strings.HasPrefix(flag, "--") {
			flag = flag[1:]
		}
	}
	var all []string
	directive := ":4" // no files
	switch value, isFlag := flags[flag]; {
	case isFlag && flag == "-o":
		all = append([]string{"text", "json", "yaml"}, c.Formats...)
	case isFlag && value == "FILE":
		directive = ":0"
	case isFlag && value != "":
	case strings.HasPrefix(last, "-"):
		for name := range flags {
			all = append(all, name)
		}
	case first:
		for _, c := range commands {
			all = append(all, c.Name)
		}
	}
	all = slices.DeleteFunc(all, func(word string) bool { return !strings.HasPrefix(word, last) })
	slices.Sort(all)
	var b strings.Builder
	for _, word := range all {
		fmt.Fprintln(&b, word)
	}
	return b.String() + directive + "\n"
}

var (
	flagLine = regexp.MustCompile(`(?m)^  -[a-z-]+(?: [A-Z]+\b)?(?:(?:, | or )-[a-z-]+(?: [A-Z]+\b)?)*`)
	oneFlag  = regexp.MustCompile(`(-[a-z-]+)(?: ([A-Z]+))?`)
)

// flagsOf returns the flags of a command with the word for their values, which is empty if a flag
// has none.
func flagsOf(c *command.Command) map[string]string {
	flags := make(map[string]string)
	for _, line := range flagLine.FindAllString(c.Help(), -1) {
		for _, match := range oneFlag.FindAllStringSubmatch(line, -1) {
			flags[match[1]] = match[2]
		}
	}
	return flags
}
