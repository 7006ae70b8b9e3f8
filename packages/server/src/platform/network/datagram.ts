// platform/network/datagram.ts: one datagram to a host and the answers to it. The socket is connected, so
// that the kernel drops datagrams from other addresses and reports a refusal (ICMP port unreachable). It is
// closed when the exchange ends, however it ends.
import { createSocket } from 'node:dgram'
import { describeConnectError } from './connect-errors.ts'
import { formatEndpoint } from './ip-address.ts'
import { type Abandon, ConnectError } from './network.ts'

export interface DatagramExchange<Result> {
  /** As written in the configuration. */
  readonly host: string
  readonly port: number
  readonly payload: Buffer
  /** How long to wait for a refusal if no answer is expected; by default an answer is expected. */
  readonly quietAfterMs?: number
  /** The result of an answer, or null to wait for another one. */
  take(answer: Buffer): Result | null
}

/**
 * Tries the addresses in turn while they refuse or cannot be reached. Null if no answer came and none was
 * expected. Throws ConnectError: ECONNREFUSED if nothing listens there, ABORTED if the caller gives up.
 */
export async function exchangeDatagram<Result>(
  exchange: DatagramExchange<Result>,
  addresses: readonly string[],
  abandon: Abandon,
): Promise<Result | null> {
  let failure: ConnectError | null = null
  for (const address of addresses) {
    try {
      return await exchangeWith(address, exchange, abandon)
    } catch (error) {
      if (!(error instanceof ConnectError) || error.code === 'ABORTED') throw error
      // An answer from the target's side is better evidence than an address family that this machine cannot reach.
      if (failure === null || failure.evidence === 'local') failure = error
    }
  }
  throw failure ?? new ConnectError('NO_ADDRESS', `${exchange.host} has no address`, 'target')
}

function exchangeWith<Result>(
  address: string,
  { host, port, payload, quietAfterMs, take }: DatagramExchange<Result>,
  abandon: Abandon,
): Promise<Result | null> {
  const peer = formatEndpoint(host, port)
  return new Promise((resolve, reject) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
    let isOpen = true
    const settle = (end: () => void): void => {
      if (!isOpen) return
      isOpen = false
      clearTimeout(quiet)
      abandon.onStop = undefined
      socket.close()
      end()
    }
    const quiet =
      quietAfterMs === undefined ? undefined : setTimeout(() => settle(() => resolve(null)), quietAfterMs)
    socket.on('error', (error: NodeJS.ErrnoException) =>
      settle(() =>
        reject(
          error.code === 'ECONNREFUSED'
            ? new ConnectError(error.code, `${peer} refuses datagrams: nothing listens at the port`, 'target')
            : describeConnectError(error, host, address, port),
        ),
      ),
    )
    socket.on('message', (answer) => {
      const result = isOpen ? take(answer) : null
      if (result !== null) settle(() => resolve(result))
    })
    socket.connect(port, address, (error?: Error) => {
      // A failed connect also emits an error event.
      if (isOpen && error === undefined) socket.send(payload)
    })
    const stop = (): void =>
      settle(() => reject(new ConnectError('ABORTED', `no answer from ${peer}`, 'local')))
    abandon.onStop = stop
  })
}
