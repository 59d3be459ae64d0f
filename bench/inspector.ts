/** Client of the inspector protocol (Chrome DevTools Protocol) of Node. */
export interface Inspector {
  send<T = unknown>(method: string, params?: object): Promise<T>
  close(): void
}

/** Connects to a process that was started with `--inspect=<port>`. */
export async function inspect(port: number): Promise<Inspector> {
  const [found] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(found?.webSocketDebuggerUrl ?? '')
  const waiting = new Map<number, (answer: { result: unknown }) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data))
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let last = 0
  return {
    send: <T>(method: string, params: object = {}) =>
      new Promise<T>((resolve) => {
        last += 1
        waiting.set(last, ({ result }) => resolve(result as T))
        socket.send(JSON.stringify({ id: last, method, params }))
      }),
    close: () => socket.close(),
  }
}

export interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number }; children?: number[] }[]
  samples: number[]
}

/** Records a CPU profile while `work` runs. */
export async function profiled(inspector: Inspector, work: () => Promise<unknown>): Promise<Profile> {
  await inspector.send('Profiler.enable')
  await inspector.send('Profiler.setSamplingInterval', { interval: 250 })
  await inspector.send('Profiler.start')
  await work()
  const { profile } = await inspector.send<{ profile: Profile }>('Profiler.stop')
  return profile
}
