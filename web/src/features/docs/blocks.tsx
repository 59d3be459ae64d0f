import { Fragment, type ReactNode, use } from 'react'
import { Code } from '../../ui/content/code.tsx'
import { InfoIcon, LinkIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Link, TextLink } from '../../ui/navigation/link.tsx'
import { fillPlaceholders, PlaceholderContext } from './placeholder-values.ts'
import type { Block, Inline } from './tree.ts'

/** Renders blocks. `here` is the address of the page, for links to its sections. */
export function Blocks({ blocks, here }: { blocks: readonly Block[]; here: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a page are constant
  return blocks.map((block, index) => <OneBlock key={index} block={block} here={here} />)
}

function OneBlock({ block, here }: { block: Block; here: string }) {
  switch (block[0]) {
    case 'h':
      return <Heading level={block[1]} anchor={block[2]} line={block[3]} here={here} />
    case 'p':
      return (
        <p>
          <Line parts={block[1]} />
        </p>
      )
    case 'ul':
      return <ul className="list-disc space-y-1.5 pl-6 marker:text-muted">{items(block[1], here)}</ul>
    case 'ol':
      return <ol className="list-decimal space-y-1.5 pl-6 marker:text-muted">{items(block[1], here)}</ol>
    case 'note':
      return (
        <aside className="flex gap-3 rounded-card bg-brand-soft px-4 py-3.5 text-ink">
          <InfoIcon className="mt-0.5 shrink-0 text-brand" />
          <div className="min-w-0 space-y-2">
            <Blocks blocks={block[1]} here={here} />
          </div>
        </aside>
      )
    case 'code':
      return <Example info={block[1]} text={block[2]} />
    case 'table':
      return <Table head={block[1]} rows={block[2]} />
  }
}

function Heading({ level, anchor, line, here }: { level: 2 | 3; anchor: string; line: Inline[]; here: string }) {
  const Tag = `h${level}` as const
  return (
    <Tag
      id={anchor}
      tabIndex={-1}
      className={
        level === 2
          ? 'group scroll-mt-6 pt-6 text-title outline-none'
          : 'group scroll-mt-6 pt-3 text-lead font-semibold outline-none'
      }
    >
      <Link href={`${here}#${anchor}`} className="rounded-row">
        <Line parts={line} />
        <LinkIcon
          size={18}
          className="ml-2 inline align-middle text-muted opacity-0 group-hover:opacity-100 group-focus-within:opacity-100"
        />
      </Link>
    </Tag>
  )
}

function items(list: readonly Block[][], here: string): ReactNode {
  return list.map((blocks, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a page are constant
    <li key={index} className="space-y-2">
      <Blocks blocks={blocks} here={here} />
    </li>
  ))
}

/** "```js server.js" gives the language and the title. */
function Example({ info, text }: { info: string; text: string }) {
  const values = use(PlaceholderContext)
  const [language = '', ...title] = info.split(' ')
  return (
    <Code
      text={fillPlaceholders(text, values)}
      language={language}
      title={title.join(' ') || NAMES[language] || language}
    />
  )
}
const NAMES: Record<string, string> = { sh: 'Terminal', http: 'HTTP', json: 'JSON', js: 'JavaScript', text: 'Example' }

/** On phones each row is a block that repeats the column names. */
function Table({ head, rows }: { head: Inline[][]; rows: Inline[][][] }) {
  return (
    <div className="overflow-x-auto rounded-card border border-line">
      <table className="w-full border-collapse text-left max-sm:block">
        <thead className="bg-sunken max-sm:hidden">
          <tr>
            {head.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns are constant
              <th key={index} scope="col" className="px-4 py-2.5 font-semibold">
                <Line parts={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rows.map((row, at) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are constant
              key={at}
              className="border-line align-top not-first:border-t max-sm:block max-sm:space-y-1 max-sm:px-4 max-sm:py-3 sm:border-t"
            >
              {row.map((cell, index) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns are constant
                  key={index}
                  className="max-sm:block max-sm:first:font-semibold sm:px-4 sm:py-2.5"
                >
                  {index > 0 && (
                    <span className="text-muted sm:hidden">
                      <Line parts={head[index] ?? []} />:{' '}
                    </span>
                  )}
                  <Line parts={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Line({ parts }: { parts: readonly Inline[] }) {
  const values = use(PlaceholderContext)
  return parts.map((part, index) => {
    if (typeof part === 'string') return fillPlaceholders(part, values)
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is constant
    return <Fragment key={index}>{partOf(part, values)}</Fragment>
  })
}

function partOf(part: Exclude<Inline, string>, values: Parameters<typeof fillPlaceholders>[1]): ReactNode {
  if (part[0] === 'b')
    return (
      <strong className="font-semibold">
        <Line parts={part[1]} />
      </strong>
    )
  if (part[0] === 'a') {
    return (
      <TextLink href={part[1]} className="underline">
        <Line parts={part[2]} />
      </TextLink>
    )
  }
  return (
    <code translate="no" className="rounded-row bg-sunken px-1.5 py-0.5 font-mono text-small">
      {fillPlaceholders(part[1], values)}
    </code>
  )
}
