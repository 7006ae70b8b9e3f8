// import/goalert/goalert.fixture.ts: an answer of GoAlert to the query of docs/moving-in.md, with parts to replace.

export interface AnswerParts {
  readonly users?: readonly unknown[]
  readonly rotations?: readonly unknown[]
  readonly schedules?: readonly unknown[]
  readonly userOverrides?: readonly unknown[]
  readonly escalationPolicies?: readonly unknown[]
  readonly config?: readonly unknown[]
  readonly hasNextPage?: boolean
}

export const method = (id: string, type: string, args: object, members: object = {}) => ({
  id,
  name: 'phone',
  disabled: false,
  pending: false,
  dest: { type: `builtin-${type}`, args },
  ...members,
})

export const user = (id: string, name: string, members: object = {}) => ({
  id,
  name,
  contactMethods: [method(`${id}-hook`, 'webhook', { webhook_url: `https://hooks.example/${id}` })],
  notificationRules: [{ delayMinutes: 0, contactMethodID: `${id}-hook` }],
  ...members,
})

const everyDay = [true, true, true, true, true, true, true]
export const weekend = [true, false, false, false, false, false, true]
export const workdays = everyDay.map((_, day) => !weekend[day])

export const rule = (start: string, end: string, weekdayFilter: readonly boolean[]) => ({
  start,
  end,
  weekdayFilter,
})
export const always = rule('00:00', '00:00', everyDay)

export const target = (type: string, id: string, ...rules: readonly object[]) => ({
  target: { id, type, name: id },
  rules,
})

/** Its turn is Bo's until Monday, 9 March 2026, 09:00 in Berlin. */
export const weekly = {
  id: 'r1',
  name: 'Weekly',
  start: '2025-01-06T08:00:00Z',
  timeZone: 'Europe/Berlin',
  type: 'weekly',
  shiftLength: 1,
  activeUserIndex: 1,
  userIDs: ['u1', 'u2'],
  nextHandoffTimes: ['2026-03-09T08:00:00Z'],
}

export const schedule = (members: object = {}) => ({
  id: 's1',
  name: 'Primary',
  timeZone: 'Europe/Berlin',
  targets: [target('rotation', 'r1', always)],
  temporarySchedules: [],
  ...members,
})

export const step = (stepNumber: number, delayMinutes: number, ...actions: readonly object[]) => ({
  stepNumber,
  delayMinutes,
  actions,
})
export const tells = {
  user: (id: string) => ({ type: 'builtin-user', args: { user_id: id } }),
  schedule: (id: string) => ({ type: 'builtin-schedule', args: { schedule_id: id } }),
  rotation: (id: string) => ({ type: 'builtin-rotation', args: { rotation_id: id } }),
  channel: (id: string) => ({ type: 'builtin-slack-channel', args: { slack_channel_id: id } }),
}

export const policy = (members: object = {}) => ({
  id: 'p1',
  name: 'Payments',
  repeat: 2,
  steps: [step(1, 15, tells.user('u2')), step(0, 5, tells.schedule('s1'))],
  ...members,
})

export function answer({ config, hasNextPage = false, ...parts }: AnswerParts = {}): object {
  const usual = {
    users: [user('u1', 'Ana Berg'), user('u2', 'Bo Chen')],
    rotations: [weekly],
    schedules: [schedule()],
    userOverrides: [],
    escalationPolicies: [policy()],
  }
  const sections = Object.entries({ ...usual, ...parts }).map(([name, nodes]) => [
    name,
    { nodes, pageInfo: { hasNextPage } },
  ])
  return { data: { ...Object.fromEntries(sections), ...(config === undefined ? {} : { config }) } }
}
