package toleration_test

import (
	"fmt"

	"github.com/tolero-dev/tolero/taint"
	"github.com/tolero-dev/tolero/toleration"
)

// Two teams write the same in different words, and a third forgets something.
func ExampleSet() {
	parse := func(text string) toleration.Set {
		list, err := toleration.ParseList(text)
		if err != nil {
			panic(err)
		}
		return toleration.NewSet(list)
	}
	first := parse("dedicated=gpu:NoSchedule,dedicated=gpu:NoExecute@60,spot")
	second := parse("spot,spot=yes,dedicated=gpu:NoExecute,dedicated==gpu:NoSchedule")
	third := parse("spot:NoSchedule,dedicated:NoSchedule")
	fmt.Println(first)
	fmt.Println(first.Equal(second), first.Signature() == second.Signature())

	missing, _ := first.Minus(third)
	fmt.Println(missing)
	both, _ := first.Common(third)
	fmt.Println(both)
	// Output:
	// dedicated==gpu:NoExecute,dedicated==gpu:NoSchedule,spot
	// true true
	// dedicated=gpu:NoExecute
	// dedicated=gpu:NoSchedule
}

// Does the pod tolerate everything that can keep it from being scheduled, or
// that evicts it? And if so, forever?
func ExampleSet_Everything() {
	list, _ := toleration.ParseList("*:NoExecute@300,*:NoSchedule")
	s, g := toleration.NewSet(list), toleration.NewGrants(list)
	fmt.Println(s.Everything(taint.Hard), s.Everything(taint.AllEffects), g.Forever())
	// Output: true false false
}

// The shortest list. Seconds are not part of a set.
func ExampleSet_AppendTolerations() {
	list, _ := toleration.ParseList("cores>15,cores=15,cores=14:NoSchedule,cores>20:NoExecute@60,zone=a,zone:NoSchedule")
	fmt.Println(toleration.FormatList(toleration.NewSet(list).AppendTolerations(nil)))
	// Output: cores>14,cores==14:NoSchedule,zone==a,zone:NoSchedule
}

// Sets tell unknown effects apart. If only the known ones matter, restrict both.
func ExampleSet_Restrict() {
	any, _ := toleration.ParseList("a")
	each, _ := toleration.ParseList("a:NoSchedule,a:PreferNoSchedule,a:NoExecute")
	s, t := toleration.NewSet(any), toleration.NewSet(each)
	fmt.Println(s.Equal(t), s.Restrict(taint.AllEffects).Equal(t))
	// Output: false true
}

// The order of a list decides how long a pod stays.
func ExampleGrants() {
	list, _ := toleration.ParseList("a=1:NoExecute@60,a:NoExecute@300,a=2:NoExecute@10")
	g := toleration.NewGrants(list)
	for _, text := range []string{"a=1:NoExecute", "a=2:NoExecute", "b:NoExecute", "b:NoSchedule"} {
		x := taint.MustParse(text)
		first, found := g.First(&x)
		after, evicted := g.Delay([]taint.Taint{x})
		fmt.Println(x, first, found, after, evicted)
	}
	fmt.Println(g.AppendIndexes(nil)) // the last one never counts
	// Output:
	// a=1:NoExecute 0 true 1m0s true
	// a=2:NoExecute 1 true 5m0s true
	// b:NoExecute 0 false 0s true
	// b:NoSchedule 0 false 0s false
	// [0 1]
}

func ExampleMerge() {
	list, _ := toleration.ParseList("a=1:NoExecute@60,b=1,a:NoExecute@300,a=2:NoExecute@10,b")
	fmt.Println(toleration.FormatList(toleration.Merge(nil, list)))
	fmt.Println(toleration.FormatList(toleration.MergeLenient(nil, list)))
	// Output:
	// a=1:NoExecute@60,a:NoExecute@300,b
	// b,a:NoExecute@300
}

func ExampleRules_Lint() {
	list, _ := toleration.ParseList("*:NoExecute,a:NoExecute@60")
	for _, remark := range (toleration.Rules{}).Lint(list) {
		fmt.Println(remark)
	}
	// Output:
	// tolerations[1]: "a:NoExecute@60" overlaps tolerations[0], which comes first and has other seconds: the eviction time depends on their order
}
