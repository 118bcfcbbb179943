package page

import "sort"

// members lists pods and nodes, with what they can be chosen by, and which pods run
// where.
func (b *builder) members() {
	most := share(maxNames, len(b.columns), func(i int) int { return len(b.columns[i].nodes) })
	for i, c := range b.columns {
		b.nodeMembers(&b.Columns[i], c, most)
	}
	most = share(maxNames, len(b.rows), func(i int) int { return len(b.rows[i].pods) })
	var running []uint32
	for i, r := range b.rows {
		on := b.podMembers(&b.Rows[i], r, most)
		for column, n := range on {
			if n > 0 && len(running) < 3*maxRunning {
				running = append(running, uint32(i), uint32(column), uint32(n))
			}
		}
	}
	b.Running = pack(running)
}

func (b *builder) nodeMembers(to *Column, c *column, most int) {
	counts := make(map[int]int)
	to.Members = []NodeMember{}
	for _, i := range c.nodes {
		n := &b.fleet.Nodes[i]
		pool := indexOf(&b.Pools, b.pools, n.Pool)
		at, found := counts[pool]
		if !found {
			at = len(to.Pools)
			counts[pool] = at
			to.Pools = append(to.Pools, [2]int64{int64(pool), 0})
		}
		to.Pools[at][1] += n.Count
		if len(to.Members) < most {
			to.Members = append(to.Members, NodeMember{n.Name, pool, unlessOne(n.Count)})
		}
	}
}

// podMembers returns how many pods of the row run on the nodes of each column.
func (b *builder) podMembers(to *Row, r *row, most int) []int64 {
	on := make([]int64, len(b.columns))
	groups := make(map[[2]int]int)
	to.Members = []PodMember{}
	for _, i := range r.pods {
		p := &b.fleet.Pods[i]
		names := [2]int{indexOf(&b.Namespaces, b.namespaces, p.Namespace), indexOf(&b.Owners, b.owners, p.Owner)}
		group, found := groups[names]
		if !found {
			group = len(to.Groups)
			groups[names] = group
			to.Groups = append(to.Groups, Group{int64(names[0]), int64(names[1]), 0})
		}
		to.Groups[group][2] += p.Count
		member := PodMember{Name: p.Name, Group: group, Count: unlessOne(p.Count)}
		if column, runs := b.columnOf(p); runs {
			on[column] += p.Count
			member.Column = &column
		}
		if len(to.Members) < most {
			to.Members = append(to.Members, member)
		}
	}
	return on
}

// columnOf returns the column of the node that a pod runs on.
func (b *builder) columnOf(p *Pod) (column int, runs bool) {
	if p.Node == "" {
		return 0, false
	}
	node, found := b.nodes[p.Node]
	if !found || int(b.colOf[node]) >= len(b.columns) {
		return 0, false
	}
	return int(b.colOf[node]), true
}

func unlessOne(n int64) int64 {
	if n == 1 {
		return 0
	}
	return n
}

// share returns the most that each of n can have of what they want, so that all
// together get no more than total. Each gets one in any case.
func share(total, n int, wants func(int) int) int {
	return max(1, sort.Search(total, func(most int) bool {
		sum := 0
		for i := range n {
			sum += min(wants(i), most+1)
		}
		return sum > total
	}))
}
