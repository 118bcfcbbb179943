package informer

import (
	"os"
	"testing"

	"k8s.io/klog/v2"
)

// TestMain silences the reflector, which logs every broken watch.
func TestMain(m *testing.M) {
	klog.SetLogger(klog.Logger{})
	os.Exit(m.Run())
}
