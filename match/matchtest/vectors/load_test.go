package vectors

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestLoadFiles(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"format":1,"cases":[{"id":"x/y"}]}`, ""},
		{`{"format":0,"cases":[{"id":"x/y"}]}`, "1.0/small/a.json: format 0, want 1"},
		{`{"format":2,"cases":[{"id":"x/y"}]}`, "1.0/small/a.json: format 2, want 1"},
		{`{"format":1,"cases":[`, "1.0/small/a.json: unexpected end"},
		{`{"format":1}`, `no vectors for Kubernetes "1.0"`},
	} {
		from := fstest.MapFS{"1.0/small/a.json": {Data: []byte(test.text)}}
		cases, err := load(from, "1.0", "small", "large")
		if (err == nil) != (test.want == "") || err != nil && !strings.HasPrefix(err.Error(), test.want) || err == nil && (len(cases) != 1 || cases[0].ID != "x/y") {
			t.Errorf("%s: %v, %v", test.text, cases, err)
		}
	}
}

// TestLoadSets: all cases are those of the small set, and then those of the large one.
func TestLoadSets(t *testing.T) {
	all, err := Load("1.37")
	if err != nil {
		t.Fatal(err)
	}
	small, err := LoadSmall("1.37")
	if err != nil {
		t.Fatal(err)
	}
	large, err := load(files, "1.37", "large")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(small)+len(large) || all[0].ID != small[0].ID || all[len(small)].ID != large[0].ID || len(small) < 50 || len(large) < 1000 {
		t.Errorf("%d cases, %d and %d", len(all), len(small), len(large))
	}
	for _, c := range small {
		if c.Kills == nil {
			t.Errorf("%s names nothing that it finds", c.ID)
		}
	}
	for _, c := range large {
		if c.Kills != nil {
			t.Errorf("%s is not in the small set", c.ID)
		}
	}
}
