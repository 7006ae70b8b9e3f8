// views/manage/operation-table.tsx: operations over many items, newest first: what each does, who started it and when,
// and its progress. Those that have not ended can be cancelled here, including those of other principals.
import type { v2 } from '@pulseward/contract'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { SelectField } from '../../components/field.tsx'
import { Panel } from '../../components/panel.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { Mark } from '../../components/status.tsx'
import { Cell, Heading, Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useParameter } from '../../components/use-parameter.ts'
import { useOperations } from '../../data/v2-reading.ts'
import type { V2Requests } from '../../data/v2-request.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import styles from './manage.module.css'
import { operationStates, progressOf, purposeOf } from './operation-words.ts'
import { PageButtons } from './page-buttons.tsx'

export function OperationTable({ requests }: { readonly requests: V2Requests }) {
  const [asked, setAsked] = useParameter('state')
  const state = Object.hasOwn(operationStates, asked ?? '') ? (asked as v2.OperationState) : undefined
  return (
    <Panel title="Operations" aside="Applied files and changes of many monitors in the last 30 days.">
      <div className={styles.find}>
        <SelectField
          label="State"
          value={state ?? ''}
          onChange={({ target }) => setAsked(target.value === '' ? null : target.value)}
        >
          <option value="">every state</option>
          {Object.keys(operationStates).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
      </div>
      {/* Cursors are valid for one state only. */}
      <Pages key={state ?? ''} state={state} requests={requests} />
    </Panel>
  )
}

function Pages(props: { readonly state: v2.OperationState | undefined; readonly requests: V2Requests }) {
  const { state, requests } = props
  const [turned, setTurned] = useState<readonly string[]>([])
  const [cancelling, setCancelling] = useState<v2.Operation | null>(null)
  const list = useOperations({ limit: rowsOfPage, cursor: turned.at(-1), state })
  return (
    <>
      <ReadingView reading={list} what="The list of operations">
        {({ items, nextCursor }) => (
          <>
            {items.length === 0 ? (
              <Empty>
                {state === undefined ? 'There is no operation.' : 'No operation is in this state.'}
              </Empty>
            ) : (
              <OperationRows items={items} onCancel={setCancelling} />
            )}
            <PageButtons turned={turned} next={nextCursor} onTurn={setTurned} />
          </>
        )}
      </ReadingView>
      {cancelling !== null && (
        <CancelDialog operation={cancelling} requests={requests} onClose={() => setCancelling(null)} />
      )}
    </>
  )
}

const rowsOfPage = 100

function OperationRows(props: {
  readonly items: readonly v2.Operation[]
  readonly onCancel: (operation: v2.Operation) => void
}) {
  return (
    <Table
      caption="Operations, the newest first"
      head={
        <>
          <Heading>What it does</Heading>
          <Heading>State</Heading>
          <Heading>Progress</Heading>
          <Heading>Started by</Heading>
          <Heading>Begun</Heading>
          <Heading>Last activity</Heading>
          <Heading>ID</Heading>
          <Heading>Cancel</Heading>
        </>
      }
    >
      {props.items.map((operation) => (
        <OperationRow key={operation.id} operation={operation} onCancel={() => props.onCancel(operation)} />
      ))}
    </Table>
  )
}

function OperationRow(props: { readonly operation: v2.Operation; readonly onCancel: () => void }) {
  const { id, state, actor, createdAt = null, updatedAt = null, reason } = props.operation
  const { look, meaning, isOpen } = operationStates[state]
  return (
    <tr>
      <Cell>{purposeOf(props.operation)}</Cell>
      <Cell>
        <Mark look={look} title={reason ?? meaning}>
          {state}
        </Mark>
      </Cell>
      <Cell>{progressOf(props.operation)}</Cell>
      <Cell className={styles.exact}>{actor}</Cell>
      <Cell>
        <Time at={createdAt} />
      </Cell>
      <Cell>
        <Time at={updatedAt} />
      </Cell>
      <Cell>
        <code className={styles.id}>{id}</code>
      </Cell>
      <Cell>
        {isOpen && (
          <Button aria-label={`Cancel operation ${id}`} onClick={props.onCancel}>
            Cancel
          </Button>
        )}
      </Cell>
    </tr>
  )
}
