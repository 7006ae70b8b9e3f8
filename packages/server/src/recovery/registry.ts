// recovery/registry.ts: every recovery driver by its name in fleet files. One line a driver.
import { aws } from './aws.ts'
import { command } from './command.ts'
import { docker } from './docker.ts'
import { kubernetes } from './kubernetes.ts'
import { systemd } from './systemd.ts'
import { webhook } from './webhook.ts'

export const recoveries = { webhook, docker, kubernetes, systemd, aws, command }
