// import/goalert/goalert.ts: people, schedules and escalation policies of GoAlert, from what its GraphQL API answers to the
// query of docs/moving-in.md. Several files are the pages of one answer. GoAlert checks nothing, so there are no monitors.
import type { Fields } from '../fields.ts'
import { FleetDraft } from '../fleet-draft.ts'
import { nodesOf, readAnswer, serverSettings } from './answer.ts'
import { readOverrides } from './overrides.ts'
import { readPeople } from './people.ts'
import { readPolicies } from './policies.ts'
import { Rotations } from './rotations.ts'
import { readSchedules } from './schedules.ts'

export async function readGoalert(files: readonly string[]): Promise<FleetDraft> {
  const draft = new FleetDraft()
  const answers: Fields[] = []
  for (const file of files) answers.push(await readAnswer(file, draft))
  const nodes = nodesOf(answers, draft)
  const people = readPeople(nodes.users, serverSettings(answers), draft)
  const rotations = new Rotations(nodes.rotations, people, draft)
  const schedules = readSchedules(nodes.schedules, rotations, people, draft)
  readOverrides(nodes, schedules, people)
  readPolicies(nodes.escalationPolicies, { schedules, rotations, people }, draft)
  rotations.noteUnused()
  for (const schedule of schedules.values()) schedule.write(draft)
  for (const answer of answers) answer.close()
  return draft
}
