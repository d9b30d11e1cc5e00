// Log: what a node reports of itself, a line for each thing, on its error output: JSON for programs, text at a terminal.
//
// What people are told when they start it stands on the ordinary output instead, so that neither gets in the other's way.
import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream } from 'pino'
import pretty from 'pino-pretty'
import type { LogLevel } from '#server/start/config.ts'
import { redact } from '#server/watch/redact.ts'

export type Log = FastifyBaseLogger
export interface LogOptions {
  format: 'json' | 'text'
  level: LogLevel
}

const error_output = 2
/** What waits for a reader that has stopped reading; beyond it lines are lost, and the node goes on. */
const waiting_bytes_max = 16 * 1024 * 1024
/** Lines go together, for writing each by itself takes a fifteenth of what a list costs the server; and none waits long. */
const together = { minLength: 4096, periodicFlush: 250 }
const causes_max = 3

interface ReportedError {
  type: string
  code?: string
  message: string
  stack?: string
  cause?: ReportedError
}

/** The known fields alone: what a database's error quotes besides (`detail`, `where`) is customers' data. */
function reported(error: unknown, causes = 0): ReportedError {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(String(error)) }
  const { code } = error as NodeJS.ErrnoException
  return {
    type: error.name,
    ...(code !== undefined && { code }),
    message: redact(error.message),
    ...(error.stack !== undefined && { stack: redact(error.stack) }),
    ...(error.cause !== undefined && causes < causes_max && { cause: reported(error.cause, causes + 1) }),
  }
}

/** Never expected in a line; left out all the same, wherever they stand. */
const secret_names = ['password', 'token', 'secret', 'authorization', 'cookie', 'email', 'ip']

/** @param to where the lines go; tests give a stream of their own. */
export function openLog({ format, level }: LogOptions, to: DestinationStream = destination(format)): Log {
  return pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => reported(error) },
      redact: { paths: secret_names.flatMap((name) => [name, `*.${name}`]), remove: true },
    },
    to,
  )
}

function destination(format: LogOptions['format']): DestinationStream {
  if (format === 'text') {
    const colorize = process.stderr.isTTY
    const ignore = 'pid,hostname'
    return pretty({
      colorize,
      ignore,
      translateTime: 'SYS:HH:MM:ss',
      singleLine: true,
      destination: error_output,
      sync: true,
    })
  }
  const lines = pino.destination({ dest: error_output, sync: false, maxLength: waiting_bytes_max, ...together })
  // The reader may be gone, and that is no reason to stop serving.
  lines.on('error', () => {})
  // The last lines are the ones that matter when a process ends.
  process.on('exit', () => {
    try {
      lines.flushSync()
    } catch {
      // Nobody reads any more.
    }
  })
  return lines
}

/** Keeps nothing: for tests and commands that report in their own way. */
export const noLog: Log = pino({ level: 'silent' })
