// views/system/processes-panel.tsx: the processes that share a store: which one is active, and which take over. Not shown
// where there can be only one.
import type { ServiceProcess, Systems } from '@pulseward/contract'
import { Panel } from '../../components/panel.tsx'
import { Cell, Heading, Table } from '../../components/table.tsx'
import { bodyOf, type Reading } from '../../data/reading.ts'

const roles: Readonly<Record<ServiceProcess['role'], string>> = { active: 'active', standby: 'stands by' }

export function ProcessesPanel({ systems }: { readonly systems: Reading<Systems> }) {
  const processes = bodyOf(systems)?.processes
  if (processes === undefined) return null
  const isAlone = processes.length === 1
  return (
    <Panel title="Processes" aside={isAlone ? 'none stands by' : undefined} flush>
      <Table
        caption="The processes of the service and their roles"
        head={
          <>
            <Heading>Process</Heading>
            <Heading>Role</Heading>
            <Heading>Fleet files</Heading>
            <Heading>Address</Heading>
          </>
        }
      >
        {processes.map(({ name, url, role, same_files }) => (
          <tr key={`${name} ${url} ${role}`}>
            <Cell>{name}</Cell>
            <Cell>{roles[role]}</Cell>
            <Cell>{same_files ? 'the same' : 'differ, so it does not take over'}</Cell>
            <Cell>{url}</Cell>
          </tr>
        ))}
      </Table>
    </Panel>
  )
}
