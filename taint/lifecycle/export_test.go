package lifecycle

// The taints of the node controller, for tests.
const (
	MemoryPressure     = memoryPressure
	DiskPressure       = diskPressure
	PIDPressure        = pidPressure
	NotReady           = notReady
	Unreachable        = unreachable
	NetworkUnavailable = networkUnavailable
	Unschedulable      = unschedulable
	Evicting           = evicting
	Managed            = managed
)

// Slots returns how many nodes and zones there is room for.
func (c *Controller) Slots() (nodes, zones int) { return len(c.nodes), len(c.zones) }

// Names returns how many nodes have a slot, those included that are gone but have their place in a queue.
func (c *Controller) Names() int { return len(c.names) }

// Zone returns the zone of that name, if it has nodes.
func (c *Controller) Zone(name string) (z Zone, known bool) {
	for z := range c.Zones() {
		if z.Name == name {
			return z, true
		}
	}
	return Zone{}, false
}
