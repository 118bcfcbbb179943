package browser

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "write the pictures and their words")

// shotOf is a picture of the page: what is shown, and what has to be there before.
type shotOf struct {
	name, input   string
	theme, hash   string
	plan          string // of a page that is served
	ready         string // a condition
	width, height int64  // a height of 0 is that of the whole page
}

const (
	pendingFile = "../../why/testdata/pending.yaml"
	poolsFile   = "../testdata/pools.json"
)

// shots are the pictures of README and of the packages' documentation.
var shots = []shotOf{
	{name: "matrix-light", input: poolsFile, theme: "light", hash: "workloads", width: 1200},
	{name: "matrix-dark", input: poolsFile, theme: "dark", hash: "workloads", width: 1200},
	{name: "overview", input: pendingFile, theme: "light", hash: "overview", width: 1200},
	{name: "phone", input: pendingFile, theme: "light", hash: "workloads", width: 390, height: 844},
	{name: "cell", input: pendingFile, theme: "light", hash: "workloads", ready: `document.querySelectorAll("td.want a")[1].click() || document.querySelector("#details.shown .deciding")`, width: 1200, height: 620},
	{name: "findings", input: pendingFile, theme: "light", hash: "findings", width: 1200, height: 640},
	{name: "silence", input: poolsFile, theme: "light", hash: "outage", width: 1200, height: 900},
	{name: "whatif", input: poolsFile, theme: "light", hash: "plan", width: 1200, ready: `document.querySelector("#answer-plan .tiles")`,
		plan: "kubectl taint nodes -l karpenter.sh/nodepool=gpu maintenance=true:NoExecute"},
}

// TestPictures takes the pictures anew and compares them with those of the repository:
// the words of the page have to be the same, and the picture nearly, because each version
// of a browser draws letters a little differently. With -update it writes them. The fonts
// are those of FONTS, whatever the machine has; without, only the words are compared.
func TestPictures(t *testing.T) {
	chromium(t)
	fonts := os.Getenv("FONTS")
	if fonts != "" {
		t.Setenv("FONTCONFIG_FILE", fontconfig(t, fonts))
	}
	for _, shot := range shots {
		t.Run(shot.name, func(t *testing.T) {
			content, words := shot.take(t)
			path := filepath.Join("..", "testdata", "pictures", shot.name)
			if *update {
				for name, text := range map[string][]byte{path + ".png": content, path + ".txt": words} {
					if err := os.WriteFile(name, text, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				return
			}
			want, err := os.ReadFile(path + ".txt")
			if err != nil || !bytes.Equal(words, want) {
				t.Errorf("the page says something else than the picture (%v); .ci/browser -update takes it anew:\n%s", err, words)
			}
			if fonts == "" {
				return
			}
			kept, err := os.ReadFile(path + ".png")
			if err != nil {
				t.Fatal(err)
			}
			part := different(t, content, kept)
			if t.Logf("%.2f %% of the picture differs", 100*part); part > 0.06 {
				t.Errorf("%.1f %% of the picture differs; .ci/browser -update takes it anew", 100*part)
			}
			if len(kept) > 150<<10 {
				t.Errorf("the picture has %d bytes", len(kept))
			}
		})
	}
	if fonts == "" {
		t.Skip("SKIPPED: FONTS is not the folder of DejaVu's fonts, so only the words of pictures are compared")
	}
}

// fontconfig returns the path of a configuration with the fonts of one folder and no others.
func fontconfig(t *testing.T, folder string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fonts.conf")
	text := fmt.Sprintf(`<?xml version="1.0"?>
<fontconfig>
<dir>%s</dir>
<cachedir>%s</cachedir>
<alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
<match target="pattern"><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
<match target="pattern"><edit name="hinting" mode="assign"><bool>false</bool></edit><edit name="rgba" mode="assign"><const>none</const></edit></match>
</fontconfig>
`, folder, t.TempDir())
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// take returns the picture as PNG with few colours, and the words of the page.
func (s *shotOf) take(t *testing.T) (content, words []byte) {
	address := s.address(t)
	base := "file:"
	if s.plan != "" {
		base = address
	}
	p := open(t, address+"#"+s.hash, base)
	const high = 4000
	p.run(chromedp.EmulateViewport(s.width, cmp.Or(s.height, high)))
	p.theme(s.theme)
	if s.plan != "" {
		p.run(set("#ask-plan textarea", s.plan))
	}
	if s.ready != "" {
		p.wait(s.ready)
	}
	if s.height == 0 {
		p.run(evaluate(`document.querySelectorAll(".scroll").forEach((table) => (table.style.maxHeight = "none"))`))
		p.run(chromedp.EmulateViewport(s.width, eval[int64](p, `Math.ceil(document.querySelector("main").getBoundingClientRect().bottom) + 16`)))
	}
	eval[bool](p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	text := eval[string](p, `(() => {
		const words = [], shown = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node; (node = shown.nextNode()); ) {
			const of = node.parentElement;
			if (node.data.trim() && of.checkVisibility() && !/^(SCRIPT|STYLE|OPTION)$/.test(of.tagName)) words.push(node.data.trim());
		}
		document.querySelectorAll("textarea").forEach((area) => area.checkVisibility() && words.push(area.value));
		return words.join("\n") + "\n"; })()`)
	shot, err := png.Decode(bytes.NewReader(get(p, chromedp.CaptureScreenshot())))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, fewColours(shot)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), []byte(text)
}

// address returns that of the page, which is written or served.
func (s *shotOf) address(t *testing.T) string {
	if s.plan != "" {
		return start(t, "-f", s.input)
	}
	return report(t, s.input)
}

// fewColours returns the picture in the 256 colours that occur most: letters have many
// shades, which take much room.
func fewColours(from image.Image) *image.Paletted {
	bounds := from.Bounds()
	at := func(x, y int) color.RGBA {
		r, g, b, _ := from.At(x, y).RGBA()
		return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
	}
	counts := make(map[color.RGBA]int)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[at(x, y)]++
		}
	}
	palette := mostFrequent(counts, 256)
	to := image.NewPaletted(bounds, palette)
	index := make(map[color.RGBA]uint8)
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := at(x, y)
			n, known := index[c]
			if !known {
				n = uint8(palette.Index(c))
				index[c] = n
			}
			to.SetColorIndex(x, y, n)
		}
	}
	return to
}

// different returns the part of the points that differ clearly.
func different(t *testing.T, a, b []byte) float64 {
	t.Helper()
	var pictures [2]*image.RGBA
	for i, content := range [][]byte{a, b} {
		decoded, err := png.Decode(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		pictures[i] = image.NewRGBA(decoded.Bounds())
		draw.Draw(pictures[i], decoded.Bounds(), decoded, image.Point{}, draw.Src)
	}
	if pictures[0].Bounds() != pictures[1].Bounds() {
		return 1
	}
	n := 0
	for i := 0; i < len(pictures[0].Pix); i += 4 {
		for c := range 3 {
			if d := int(pictures[0].Pix[i+c]) - int(pictures[1].Pix[i+c]); d > 48 || d < -48 {
				n++
				break
			}
		}
	}
	return float64(n) / float64(len(pictures[0].Pix)/4)
}

// TestDrift shows that a picture of something else is found to differ, and the same is
// not.
func TestDrift(t *testing.T) {
	picture := func(file string) []byte {
		content, err := os.ReadFile(filepath.Join("..", "testdata", "pictures", file))
		if err != nil {
			t.Fatal(err)
		}
		return content
	}
	light := picture("matrix-light.png")
	if part := different(t, light, light); part != 0 {
		t.Errorf("the same differs by %f", part)
	}
	for _, other := range []string{"matrix-dark.png", "cell.png"} {
		if part := different(t, light, picture(other)); part < 0.06 {
			t.Error(fmt.Sprint(other, ": only ", part))
		}
	}
}
