package manifest_test

import (
	"testing"

	"github.com/tolero-dev/tolero/toleration/manifest"
)

func TestOwnerReads(t *testing.T) {
	for owner, want := range map[manifest.Owner]string{
		{}:                                     "",
		{Kind: "ReplicaSet", Name: "web-5d4c"}: "ReplicaSet/web-5d4c",
		{Kind: "Node"}:                         "Node/",
		{Name: "a"}:                            "/a",
	} {
		if got := owner.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
