// views/monitor/audience-panel.tsx: who is told about a monitor in each color, and which rules say so.
import type { Audience, AudienceMember, AudienceRule } from '@pulseward/contract'
import type { ReactNode } from 'react'
import { CodeMark } from '../../components/code-mark.tsx'
import { Panel } from '../../components/panel.tsx'
import { codeOrder } from '../../words/codes.ts'
import styles from './monitor.module.css'
import { ResourceName } from './resource-name.tsx'

export function AudiencePanel({ audience }: { readonly audience: Audience }) {
  const told = codeOrder.filter((color) => audience[color].length > 0)
  return (
    <Panel title="Who is told">
      {audience.policy !== undefined && (
        <p>
          The policy <b>{audience.policy}</b> pages people from the opening of an incident until a person
          answers.
        </p>
      )}
      {audience.red.length === 0 && audience.policy === undefined && (
        <p className={styles.nobody}>
          Nobody is told when it fails. Name an endpoint or a group for red in its notifications, or add a
          route that matches it.
        </p>
      )}
      <dl className={styles.audience}>
        {told.map((color) => (
          <div key={color}>
            <dt>
              <CodeMark code={color} />
            </dt>
            {audience[color].map((member) => (
              <dd key={member.destination}>
                <ResourceName segment="endpoints" id={member.destination} /> <Rules member={member} />
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </Panel>
  )
}

function Rules({ member: { named_by: rules } }: { readonly member: AudienceMember }) {
  return (
    <span className={styles.rules}>
      by{' '}
      {rules.map((rule, index) => (
        <span key={JSON.stringify(rule)}>
          {index > 0 && (index === rules.length - 1 ? ' and ' : ', ')}
          <Rule rule={rule} />
        </span>
      ))}
    </span>
  )
}

/** A route without an id is known by its place in the fleet files. */
const placeInFiles = /^(?:.*: )?routes\.(\d+)$/

function RouteName({ name }: { readonly name: string }) {
  const place = placeInFiles.exec(name)?.[1]
  if (place === undefined)
    return (
      <>
        the route <ResourceName segment="routes" id={name} />
      </>
    )
  return (
    <ResourceName segment="routes" id={name}>
      route {Number(place) + 1} of the fleet files
    </ResourceName>
  )
}

function Rule({ rule: { kind, name, group } }: { readonly rule: AudienceRule }): ReactNode {
  return (
    <>
      {kind === 'own' && 'its own rule'}
      {kind === 'default' && 'the default of the fleet files'}
      {kind === 'route' && name !== null && <RouteName name={name} />}
      {group !== null && (
        <>
          {' '}
          (group <ResourceName segment="groups" id={group} />)
        </>
      )}
    </>
  )
}
