type Server = { name: string; port: number }

type HaproxyPorts = { pages: number; postgres: number; nodes: Server[]; members: (Server & { rest: number })[] }

/** The settings of docs/guides/many-servers.md, and the way to the primary as Patroni's documentation has it. */
export function haproxySettings({ pages, postgres, nodes, members }: HaproxyPorts): string {
  return `defaults
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 5s
frontend pages
  mode http
  bind 127.0.0.1:${pages}
  default_backend vrata
backend vrata
  mode http
  option httpchk GET /readyz
  http-check expect status 200
  default-server check inter 1s fall 2 rise 1
  option redispatch 1
  retry-on conn-failure
  retries 2
  http-error status 503 content-type "text/plain" string "Try again in a moment." hdr Retry-After 2
${nodes.map(({ name, port }) => `  server ${name} 127.0.0.1:${port}`).join('\n')}
listen primary
  mode tcp
  bind 127.0.0.1:${postgres}
  timeout client 1h
  timeout server 1h
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, port, rest }) => `  server ${name} 127.0.0.1:${port} port ${rest}`).join('\n')}
`
}

/** The way to the server that takes writes without a Patroni to ask, as docs/guides/many-servers.md has it. */
export function writableSettings(port: number, members: Server[]): string {
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  stick-table type integer size 100
  stick on int(1)
  option tcp-check
  tcp-check send-binary 00000028000300007573657200686170726f787900646174616261736500706f7374677265730000
  tcp-check expect binary 5a0000000549
  tcp-check send-binary 510000001f
  tcp-check send "select pg_is_in_recovery()"
  tcp-check send-binary 00
  tcp-check expect binary 440000000b00010000000166
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${members.map(({ name, port }) => `  server ${name} 127.0.0.1:${port}`).join('\n')}
`
}

type PoolerPorts = { pooler: number; postgres: number; folder: string }

export function pgbouncerSettings({ pooler, postgres, folder }: PoolerPorts): string {
  return `[databases]
* = host=127.0.0.1 port=${postgres}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pooler}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = 12
server_connect_timeout = 2
server_login_retry = 1
`
}
