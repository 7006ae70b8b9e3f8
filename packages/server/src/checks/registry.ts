// checks/registry.ts: every check by its name in fleet files. One line a driver.
import { dns } from './dns.ts'
import { http } from './http.ts'
import { icmp } from './icmp.ts'
import { tcp } from './tcp.ts'

export const checks = { http, tcp, dns, icmp }
