package device_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tolero-dev/tolero/match/device"
	"github.com/tolero-dev/tolero/taint"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"a:None":               "a:None",
		"a=:NoSchedule":        "a:NoSchedule",
		"example.com/a=v:None": "example.com/a=v:None",
		"a:PreferNoSchedule":   "taint.effect",
		"a":                    "taint.effect",
		`"a":None`:             "quoted",
		"a=-:None":             "taint.value",
		"a:None:":              "offset 6",
		"a:None,b=x:NoExecute": "taint",
	} {
		got, err := device.ParseTaint(text)
		if err == nil && got.String() != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"*":                  "*",
		"*:NoExecute@300":    "*:NoExecute@300",
		"a==v:None":          "a==v:None",
		"a=":                 "a=",
		"*=x":                "*=x",
		"a:NoSchedule@1":     "a:NoSchedule@1",
		"a>5":                "toleration.operator",
		"a:PreferNoSchedule": "toleration.effect",
		`a="x"`:              "quoted",
		"a==-x":              "toleration.value",
	} {
		got, err := device.ParseToleration(text)
		if err == nil && got.String() != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("MustParseTaint does not panic")
		}
	}()
	_ = device.MustParseToleration("a")
	device.MustParseTaint("a")
}

// Everything that is printed is read back, valid or not.
func TestPrintAndParse(t *testing.T) {
	anyWord := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "None", "x,y", `"`}), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		taints := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) device.Taint {
			return device.Taint{Key: anyWord.Draw(t, "key"), Value: anyWord.Draw(t, "value"), Effect: device.Effect(anyWord.Draw(t, "effect"))}
		}), 0, 4).Draw(t, "taints")
		text := device.FormatTaints(taints)
		if again, err := device.ParseTaintsLenient(text); err != nil || !device.EqualTaints(again, taints) {
			t.Fatalf("%q becomes %q: %v", text, again, err)
		}
		if again, err := device.ParseTaints(text); (err == nil) != (validEach(taints) == nil) || err == nil && !device.EqualTaints(again, taints) {
			t.Fatalf("%q becomes %q: %v, validation says %v", text, again, err, validEach(taints))
		}
		tolerations := rapid.SliceOfN(rapid.Custom(drawToleration), 0, 4).Draw(t, "tolerations")
		for i := range tolerations {
			tolerations[i].Value = anyWord.Draw(t, "value")
		}
		text = device.FormatTolerations(tolerations)
		if again, err := device.ParseTolerationsLenient(text); err != nil || !device.EqualTolerations(again, tolerations) {
			t.Fatalf("%q becomes %q: %v", text, again, err)
		}
		stored := device.CloneTolerations(tolerations)
		for i := range stored {
			stored[i].SetDefaults()
		}
		if _, err := device.ParseTolerations(text); (err == nil) != (device.ValidateTolerations(stored) == nil) {
			t.Fatalf("%q: %v, validation says %v", text, err, device.ValidateTolerations(stored))
		}
	})
}

// validEach validates a list except for its length.
func validEach(taints []device.Taint) error {
	for i := range taints {
		if err := device.ValidateTaints(taints[i : i+1]); err != nil {
			return err
		}
	}
	return nil
}

func TestParseLists(t *testing.T) {
	taints, err := device.ParseTaints("a:None,b=v:NoExecute,a:None")
	want := []device.Taint{{Key: "a", Effect: device.None}, {Key: "b", Value: "v", Effect: device.NoExecute}, {Key: "a", Effect: device.None}}
	if err != nil || !device.EqualTaints(taints, want) {
		t.Errorf("%v, %v", taints, err)
	}
	tolerations, err := device.ParseTolerations("a,*:NoExecute@3")
	if err != nil || device.FormatTolerations(tolerations) != "a,*:NoExecute@3" || len(tolerations) != 2 {
		t.Errorf("%v, %v", tolerations, err)
	}
}

// An error begins with what was to be read, and faults go before quotes.
func TestParseErrors(t *testing.T) {
	_, err := device.ParseTaint(`"a b":None`)
	if want := `taint "\"a b\":None": taint.key: `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	_, err = device.ParseToleration("a>5")
	if want := `toleration "a>5": toleration.operator: `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// A node's text is a device's text where both know the words.
func TestTextOfNodes(t *testing.T) {
	const text = "a=v:NoSchedule"
	if device.MustParseTaint(text) != device.Taint(taint.MustParse(text)) {
		t.Error("the same text is another taint")
	}
}

// FuzzText reads any text: what is read is printed and read back, the validating readers
// accept no more than the lenient ones, and what they accept is valid.
func FuzzText(f *testing.F) {
	f.Add("a=x:NoExecute,b:None")    // taints
	f.Add("*:NoExecute@60,a==x@-1")  // tolerations
	f.Add(`"a,b"="\n":"x"@9`)        // quoted words
	f.Add("a:PreferNoSchedule,a>5:") // what only nodes have
	f.Fuzz(func(t *testing.T, text string) {
		taints, err := device.ParseTaintsLenient(text)
		if again, err2 := device.ParseTaintsLenient(device.FormatTaints(taints)); err == nil && (err2 != nil || !device.EqualTaints(again, taints)) {
			t.Errorf("%q is read as %q, and that as %q, %v", text, taints, again, err2)
		}
		if valid, err2 := device.ParseTaints(text); err2 == nil && (err != nil || !device.EqualTaints(valid, taints) || validEach(valid) != nil) {
			t.Errorf("%q is read as %q, and leniently as %q, %v", text, valid, taints, err)
		}
		tolerations, err := device.ParseTolerationsLenient(text)
		if again, err2 := device.ParseTolerationsLenient(device.FormatTolerations(tolerations)); err == nil && (err2 != nil || !device.EqualTolerations(again, tolerations)) {
			t.Errorf("%q is read as %q, and that as %q, %v", text, tolerations, again, err2)
		}
		if valid, err2 := device.ParseTolerations(text); err2 == nil && (err != nil || !device.EqualTolerations(valid, tolerations)) {
			t.Errorf("%q is read as %q, and leniently as %q, %v", text, valid, tolerations, err)
		}
	})
}
