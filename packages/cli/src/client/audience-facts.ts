// client/audience-facts.ts: who is told about a monitor, as facts for people: a line per color, with the rules that name
// each destination. v1 and v2 spell the same differently; both are understood.
import type { v1, v2 } from '@pulseward/client'
import { codes } from '@pulseward/contract'
import type { FactsBlock } from './table/block.ts'

type Member = v1.AudienceMember | v2.AudienceMember
type Rule = v1.AudienceRule | v2.AudienceRule

/** Red always, unless a policy pages people; other colors if somebody is told of them. */
export function audienceFacts(audience: v1.Audience | v2.Audience): FactsBlock['facts'] {
  const { policy } = audience
  const told = codes.flatMap((color): FactsBlock['facts'] => {
    const members: readonly Member[] = audience[color] ?? []
    if (members.length === 0 && (color !== 'red' || policy !== undefined)) return []
    const named = members.map(
      (member) => `${member.destination} (${rulesOf(member).map(inWords).join('; ')})`,
    )
    return [[`Told of ${color}`, members.length === 0 ? 'nobody' : named.join(', ')]]
  })
  return policy === undefined ? told : [['Paged by', `policy ${policy}`], ...told]
}

function rulesOf(member: Member): readonly Rule[] {
  return 'named_by' in member ? member.named_by : member.namedBy
}

function inWords({ kind, name, group }: Rule): string {
  const rule = kind === 'own' ? 'own rule' : kind === 'default' ? 'default of the files' : `route ${name}`
  return typeof group === 'string' ? `${rule}, group ${group}` : rule
}
