// views/monitor/push-examples.ts: how a job reports, for each of the ways that jobs are usually started. The key is
// not shown on any page, so every example names where it goes.
export const keyPlace = 'KEY'

export interface PushExample {
  readonly name: string
  readonly text: string
}

/** The address that a job calls, on the service that serves this page. */
export function pushAddress(origin: string): string {
  return `${origin}/push/${keyPlace}`
}

const curl = 'curl -fsS -m 10 --retry 5 -o /dev/null'

export function pushExamples(address: string): readonly PushExample[] {
  return [
    {
      name: 'curl',
      text: [
        `${curl} ${address}/start`,
        './job.sh > job.log 2>&1',
        `${curl} --data-binary @job.log ${address}/$?`,
      ].join('\n'),
    },
    { name: 'cron', text: `0 3 * * *  /usr/local/bin/job.sh; ${curl} ${address}/$?` },
    {
      name: 'systemd',
      text: [
        '[Service]',
        'Type=oneshot',
        `ExecStartPre=-${curl.replace('curl', '/usr/bin/curl')} ${address}/start`,
        'ExecStart=/usr/local/bin/job.sh',
        `ExecStopPost=-/bin/sh -c '${curl} ${address}/$$EXIT_STATUS'`,
      ].join('\n'),
    },
    {
      name: 'Kubernetes CronJob',
      text: [
        'containers:',
        '  - name: job',
        '    image: curlimages/curl',
        '    command: [sh, -c]',
        `    args: ["/jobs/backup.sh; ${curl} ${address}/$?"]`,
      ].join('\n'),
    },
    {
      name: 'GitHub Actions',
      text: [
        'env:',
        `  PUSH: ${address.replace(keyPlace, '$'.concat('{{ secrets.PULSEWARD_KEY }}'))}`,
        'steps:',
        `  - run: ${curl} "$PUSH/start"`,
        '  - run: ./job.sh',
        '  - if: always()',
        `    run: ${curl} "$PUSH/\${{ job.status == 'success' && '0' || '1' }}"`,
      ].join('\n'),
    },
  ]
}
