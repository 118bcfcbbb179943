package toleration_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Two teams write the same in different words, and a third forgets something.
func ExampleMeaning() {
	parse := func(text string) *toleration.Meaning {
		list, err := toleration.ParseList(text)
		if err != nil {
			panic(err)
		}
		m, err := toleration.NewMeaning(list)
		if err != nil {
			panic(err)
		}
		return m
	}
	first := parse("dedicated=gpu:NoSchedule,dedicated=gpu:NoExecute@60,spot")
	second := parse("spot,spot=yes,dedicated=gpu:NoExecute@60,dedicated=gpu:NoExecute,dedicated==gpu:NoSchedule")
	third := parse("spot:NoSchedule,dedicated:NoSchedule")
	fmt.Println(first)
	fmt.Println(first.Equal(second), first.Signature() == second.Signature(), first.Covers(third))
	for x, levels := range first.Compare(third) {
		if levels[0] != levels[1] {
			fmt.Printf("%s: %s, and by the third %s\n", x, levels[0], levels[1])
		}
	}
	// Output:
	// spot,dedicated==gpu:NoExecute@60,dedicated==gpu:NoSchedule
	// true true false
	// dedicated:NoSchedule: not tolerated, and by the third tolerated forever
	// spot:PreferNoSchedule: tolerated forever, and by the third not tolerated
	// dedicated=gpu:NoExecute: tolerated for 1m0s, and by the third not tolerated
	// spot:NoExecute: tolerated forever, and by the third not tolerated
	// spot: tolerated forever, and by the third not tolerated
}

// The order of a list decides how long a pod stays.
func ExampleMeaning_Level() {
	list, _ := toleration.ParseList("a=1:NoExecute@60,a:NoExecute@300,a=2:NoExecute@10")
	m, _ := toleration.NewMeaning(list)
	for _, text := range []string{"a=1:NoExecute", "a=2:NoExecute", "b:NoExecute", "a:NoSchedule"} {
		x := taint.MustParse(text)
		fmt.Println(x, m.Level(&x))
	}
	// Output:
	// a=1:NoExecute tolerated for 1m0s
	// a=2:NoExecute tolerated for 5m0s
	// b:NoExecute not tolerated
	// a:NoSchedule not tolerated
}

// Several tolerations of a whitelist can allow another one together.
func ExampleMeaning_Allows() {
	list, _ := toleration.ParseList("cores<10,cores>9,spot:NoExecute@60,spot:NoExecute@300")
	whitelist, _ := toleration.NewLenientMeaning(list)
	for _, text := range []string{"cores>0", "spot:NoExecute@300", "spot:NoExecute"} {
		t := toleration.MustParse(text)
		x, ok := whitelist.Allows(&t)
		fmt.Println(t, ok, x)
	}
	// Output:
	// cores>0 true ""
	// spot:NoExecute@300 true ""
	// spot:NoExecute false spot:NoExecute
}

// Meanings tell unknown effects apart. If only the known ones matter, restrict both.
func ExampleMeaning_Restrict() {
	any, _ := toleration.ParseList("a")
	each, _ := toleration.ParseList("a:NoSchedule,a:PreferNoSchedule,a:NoExecute")
	m, _ := toleration.NewMeaning(any)
	n, _ := toleration.NewMeaning(each)
	fmt.Println(m.Equal(n), m.Restrict(taint.Hard|taint.Soft).Equal(n))
	// Output: false true
}

func ExampleMinimize() {
	list, _ := toleration.ParseList("a=1:NoExecute@60,b=1,a:NoExecute@300,a=2:NoExecute@10,b")
	merged, _ := toleration.Minimize(nil, list)
	fmt.Println(toleration.FormatList(merged))
	// Output: a=1:NoExecute@60,a:NoExecute@300,b
}
