// checks/ssh/patient-socket.ts: a socket that loses nothing while it has no listener. The library starts listening only
// when its cipher code is loaded, but a lent socket flows at once. Holds no more than a stream's usual buffer.
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

export class PatientSocket extends Duplex {
  readonly #socket: Socket

  constructor(socket: Socket) {
    super()
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) socket.pause()
    })
    socket.on('end', () => this.push(null))
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, written: () => void): void {
    // The socket itself reports a broken connection.
    this.#socket.write(bytes, () => written())
  }

  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    this.#socket.destroy()
    destroyed(error)
  }
}
