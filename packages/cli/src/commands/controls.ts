// commands/controls.ts: the seven controls of v2 as commands. The token identifies who acts.
import { control } from '../client/control.ts'

export const ack = control({
  name: 'ack',
  operation: 'AcknowledgeIncident',
  verb: 'acknowledge',
  summary: 'say that you are looking into an incident',
  target: 'incident',
  required: [],
  optional: ['note'],
  examples: [
    'pulseward ack checkout-api',
    'pulseward ack inc-01JQ8X4A',
    "pulseward ack inc-01JQ8X4A --note 'looking into it'",
  ],
  send: (client, given, options) => client.acknowledgeIncident(given, options),
  done: (id) => `Incident ${id} is acknowledged.`,
})

export const dismiss = control({
  name: 'dismiss',
  operation: 'DismissIncident',
  verb: 'dismiss',
  summary: 'stop the notifications of an incident',
  target: 'incident',
  required: ['reason'],
  optional: ['note'],
  examples: ["pulseward dismiss inc-01JQ8X4A --reason 'a known fault of the provider'"],
  send: (client, given, options) => client.dismissIncident(given, options),
  done: (id) => `Incident ${id} is dismissed; no more notifications are sent for it.`,
})

export const reopen = control({
  name: 'reopen',
  operation: 'ReopenIncident',
  verb: 'reopen',
  summary: 'undo a dismissal; nothing is sent again',
  target: 'incident',
  required: [],
  optional: ['reason', 'note'],
  examples: ["pulseward reopen inc-01JQ8X4A --reason 'it is ours after all'"],
  send: (client, given, options) => client.reopenIncident(given, options),
  done: (id) => `Incident ${id} is no longer dismissed.`,
})

export const snooze = control({
  name: 'snooze',
  operation: 'SnoozeMonitor',
  verb: 'snooze',
  summary: 'neither check a monitor nor notify anybody for a while',
  target: 'monitor',
  required: ['for', 'reason'],
  optional: ['note'],
  examples: [
    "pulseward snooze checkout-api --for 2h --reason 'planned work'",
    "pulseward snooze -l team=payments --for 2h --reason 'planned work'",
  ],
  send: (client, given, options) => client.snoozeMonitor(given, options),
  done: (id, { duration }) => `Monitor ${id} is snoozed for ${duration}.`,
})

export const unsnooze = control({
  name: 'unsnooze',
  operation: 'UnsnoozeMonitor',
  verb: 'unsnooze',
  summary: 'end the snooze of a monitor',
  target: 'monitor',
  required: [],
  optional: ['reason', 'note'],
  examples: ['pulseward unsnooze checkout-api'],
  send: (client, given, options) => client.unsnoozeMonitor(given, options),
  done: (id) => `Monitor ${id} is no longer snoozed.`,
})

export const recover = control({
  name: 'recover',
  operation: 'RecoverMonitor',
  verb: 'recover',
  summary: 'ask for the recovery of a monitor that is down',
  target: 'monitor',
  required: ['reason'],
  optional: ['incident', 'note'],
  examples: ["pulseward recover checkout-api --reason 'the runbook was repaired'"],
  send: (client, given, options) => client.recoverMonitor(given, options),
  done: (id) => `The recovery of monitor ${id} is requested.`,
})

export const review = control({
  name: 'review',
  operation: 'ReviewAction',
  summary: 'say what became of an action whose answer was lost',
  target: 'action',
  required: ['resolution', 'reason'],
  optional: ['note', 'evidence'],
  examples: [
    "pulseward review act-01JQ8X4B --resolution accepted --reason 'the restart is in the log of the host'",
    "pulseward review act-01JQ8X4B --resolution inconclusive --reason 'no log' --evidence https://runbooks.test/log",
  ],
  send: (client, given, options) => client.reviewAction(given, options),
  done: (id, { resolution }) => `Action ${id} is reviewed as ${resolution}.`,
})
