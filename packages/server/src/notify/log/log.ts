// notify/log/log.ts: writes the notification as one line to the log of the service. It depends on no other service.
import { accepted } from '../../platform/action-outcome.ts'
import { closed } from '../../platform/schema.ts'
import { sentence } from '../driver/wording.ts'
import { defineNotifier } from '../driver.ts'

export const log = defineNotifier({
  summary: "Writes the notification to the service's log.",
  needs: 'Nothing.',
  config: closed({}),
  rate: { maxInFlight: 4, perSecond: null },
  limits: null,
  target: () => 'the log of the service',
  async notify(_config, notification, run) {
    const { monitorId, color, status, severity, incidentId, actionId, link } = notification
    run.log(sentence(notification), { monitorId, color, status, severity, incidentId, actionId, link })
    return accepted()
  },
})
