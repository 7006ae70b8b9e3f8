// platform/service-manager.ts: notifies systemd as sd_notify(3) describes: that the service is ready,
// reloads, stops, and, if the unit has a watchdog, that its controller is alive. Does nothing if
// NOTIFY_SOCKET is not set. The owner calls it once per second from the controller's loop: if the loop
// stalls, the notifications stop, and systemd restarts the service.
import { openNotifySocket, type SendDatagram } from './notify-socket.ts'

export class ServiceManager {
  readonly #send: SendDatagram
  readonly #watchdogMs: number | null
  /** What could not be sent yet, in order: systemd waits for a RELOADING=1 as for the READY=1 after it. */
  readonly #owed: string[] = []
  #reloads = 0
  #livedMs = Number.NEGATIVE_INFINITY

  constructor(send: SendDatagram, watchdogMs: number | null) {
    this.#send = send
    this.#watchdogMs = watchdogMs
  }

  static async connect(
    environment: NodeJS.ProcessEnv,
    warn: (message: string) => void,
  ): Promise<ServiceManager | null> {
    const path = environment['NOTIFY_SOCKET'] ?? ''
    if (path === '') return null
    const send = await openNotifySocket(path)
    if (send !== null) return new ServiceManager(send, watchdogMs(environment))
    warn(
      `systemd waits to be notified at ${path}, which this Node.js (${process.version}) cannot do: use Node.js 26 or newer, or Type=exec without WatchdogSec in the unit.`,
    )
    return null
  }

  ready(): void {
    this.#tell('READY=1')
  }

  /**
   * The time identifies the reload: systemd ignores a READY=1 from before it. Overlapping reloads end
   * together, because the READY=1 of the first would end the second for systemd, too.
   */
  async whileReloading(reload: () => Promise<unknown>): Promise<void> {
    this.#reloads++
    this.#tell(`RELOADING=1\nMONOTONIC_USEC=${process.hrtime.bigint() / 1_000n}`)
    try {
      await reload()
    } finally {
      this.#reloads--
      if (this.#reloads === 0) this.ready()
    }
  }

  stopping(): void {
    this.#tell('STOPPING=1')
  }

  /** The controller is alive. Sends at half the watchdog interval, so that one message may be lost or late. */
  lives(nowMs: number): void {
    this.#sendOwed()
    if (this.#watchdogMs === null || nowMs - this.#livedMs < this.#watchdogMs / 2) return
    if (this.#send('WATCHDOG=1')) this.#livedMs = nowMs
  }

  #tell(state: string): void {
    this.#owed.push(state)
    this.#sendOwed()
  }

  #sendOwed(): void {
    while (this.#owed.length > 0 && this.#send(this.#owed[0]!)) this.#owed.shift()
  }
}

function watchdogMs({ WATCHDOG_USEC, WATCHDOG_PID }: NodeJS.ProcessEnv): number | null {
  const isForUs = WATCHDOG_PID === undefined || Number(WATCHDOG_PID) === process.pid
  const microseconds = Number(WATCHDOG_USEC)
  return isForUs && microseconds > 0 ? microseconds / 1_000 : null
}
