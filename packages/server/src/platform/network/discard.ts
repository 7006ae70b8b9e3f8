// platform/network/discard.ts: the end of a socket that checks use by the thousand.
//
// V8 takes a function that is written where it is assigned to a property for a method, and puts it into old space at once. Each
// Writable of Node has one, which holds its socket. So a finished socket stays, with all that it can reach, until old space
// is collected: that made a probe thread four times as large as what it had in use. A socket that is let go here can reach
// nothing of its check any more.
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'

const ignore = (): void => {}

/** Destroys the socket; its owner hears nothing of it afterwards. */
export function discard(socket: Socket): void {
  socket.destroy()
  // Not the socket's own, which would prepare it for readers to come.
  EventEmitter.prototype.removeAllListeners.call(socket)
  // What went wrong beside the end must not end the process.
  socket.on('error', ignore)
}
