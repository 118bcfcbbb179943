package command

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tolero-dev/tolero/compile/index/whatif"
)

// ParseBudget reads a disruption budget, such as
// "web=1:Deployment shop/web,Deployment shop/api": one eviction among the pods of two
// owners. Without owners it is for all pods.
func ParseBudget(text string) (whatif.Budget, error) {
	rest, owners, some := strings.Cut(text, ":")
	name, number, found := strings.Cut(rest, "=")
	allowed, err := strconv.Atoi(number)
	if !found || name == "" || err != nil || allowed < 0 {
		return whatif.Budget{}, errors.New("must be NAME=N, or NAME=N:OWNER,..., where N is a number of evictions")
	}
	b := whatif.Budget{Name: name, Allowed: allowed}
	if some {
		b.Owners = strings.Split(owners, ",")
	}
	return b, nil
}
