package informer

import (
	"io"
	"os"
	"testing"

	"k8s.io/klog/v2"
)

// TestMain silences the reflector, which logs every broken watch.
func TestMain(m *testing.M) {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	os.Exit(m.Run())
}
