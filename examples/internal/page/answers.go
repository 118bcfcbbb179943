package page

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"github.com/tolero-dev/tolero/examples/internal/command"
	"github.com/tolero-dev/tolero/toleration/manifest"
)

// ask runs a command of tolero about a cluster, and returns what it prints: the page says what
// the program says.
func (in *source) ask(about *manifest.Cluster, c command.Command, stdin string, args ...string) (string, error) {
	var out, complaints bytes.Buffer
	p := &command.Program{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &complaints, Now: time.Now, Cluster: about}
	if in.Rules.Comparisons {
		args = append(args, "-comparisons")
	}
	status := c.Do(p, append(args, "-f", "the page", "-width", "0"))
	if status == command.Trouble {
		return "", errors.New(strings.TrimSpace(complaints.String()))
	}
	return out.String(), nil
}

// block is a paragraph of an answer, or lines to copy.
type block struct {
	Depth int // of its indentation
	Text  string
	Copy  bool
	Head  bool // of what follows
	ID    string
}

// maxBlocks is how many paragraphs of an answer a page has.
const maxBlocks = 1000

// blocksOf returns the paragraphs of an answer. Items of YAML and commands are to copy.
func blocksOf(answer string) (blocks []block) {
	for line := range strings.Lines(answer) {
		text := strings.TrimSpace(line)
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		copied := strings.HasPrefix(text, "- {") || strings.HasPrefix(text, "kubectl ")
		n := len(blocks)
		switch {
		case text == "":
		case copied && n > 0 && blocks[n-1].Copy:
			blocks[n-1].Text += "\n" + text
		default:
			if n > 0 && blocks[n-1].Depth < depth && depth <= 2 {
				blocks[n-1].Head = true
			}
			if len(blocks) == maxBlocks {
				return append(blocks, block{Text: "More than fits here; tolero tells all of it."})
			}
			blocks = append(blocks, block{Depth: min(depth, 3), Text: text, Copy: copied})
		}
	}
	return blocks
}

// cut cuts a name in the middle that is too long to read.
func cut(text string) string { return cutTo(text, 300) }

// cutTo cuts a text in the middle to so many characters.
func cutTo(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most/2]) + "…" + string(runes[len(runes)-most/2:])
}

// cuts cuts the long words of an answer.
func cuts(text string) string {
	words := strings.Split(text, " ")
	for i := range words {
		words[i] = cut(words[i])
	}
	return strings.Join(words, " ")
}
