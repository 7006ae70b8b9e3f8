// views/system/locations-panel.tsx: the other places at which monitors are checked, and the probes there. Not shown where the
// service checks everything itself.
import type { LocationProbe, Systems } from '@pulseward/contract'
import { Panel } from '../../components/panel.tsx'
import { Cell, Heading, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { bodyOf, type Reading } from '../../data/reading.ts'

const states: Readonly<Record<LocationProbe['state'], string>> = {
  connected: 'connected',
  draining: 'stops when its checks have ended',
  overloaded: 'overloaded, so its monitors are unknown',
}

export function LocationsPanel({ systems }: { readonly systems: Reading<Systems> }) {
  const locations = bodyOf(systems)?.locations ?? []
  if (locations.length === 0) return null
  const empty = locations.filter(({ probes }) => probes.length === 0).length
  return (
    <Panel title="Locations" aside={empty === 0 ? undefined : `${empty} without a probe`} flush>
      <Table
        caption="The locations of probes and the probes that are connected"
        head={
          <>
            <Heading>Location</Heading>
            <Heading>Probe</Heading>
            <Heading>State</Heading>
            <Heading>Monitors</Heading>
            <Heading>Version</Heading>
            <Heading>Connected since</Heading>
          </>
        }
      >
        {locations.flatMap(({ name, probes }) =>
          probes.length === 0
            ? [
                <tr key={name}>
                  <Cell>{name}</Cell>
                  <Cell>none</Cell>
                  <Cell>not connected, so its monitors are unknown</Cell>
                  <Cell>–</Cell>
                  <Cell>–</Cell>
                  <Cell>–</Cell>
                </tr>,
              ]
            : probes.map((probe) => (
                <tr key={`${name} ${probe.name} ${probe.connected_since}`}>
                  <Cell>{name}</Cell>
                  <Cell>{probe.name}</Cell>
                  <Cell>{states[probe.state]}</Cell>
                  <Cell>{probe.monitors}</Cell>
                  <Cell>{probe.version}</Cell>
                  <Cell>
                    <Time at={probe.connected_since} />
                  </Cell>
                </tr>
              )),
        )}
      </Table>
    </Panel>
  )
}
