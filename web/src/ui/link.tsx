import { type ComponentProps, createContext, type ElementType, use } from 'react'

/** What `Link` renders: a plain anchor, until the app puts its router's link here. */
export const LinkElement = createContext<ElementType<ComponentProps<'a'>>>('a')

export type LinkProps = ComponentProps<'a'> & { href: string }

/** A link without looks. It knows no router: the app decides through {@link LinkElement} how it travels. */
export function Link(props: LinkProps) {
  const Element = use(LinkElement)
  return <Element {...props} />
}

/** A link inside text. */
export function TextLink({ className = '', ...props }: LinkProps) {
  return (
    <Link
      {...props}
      className={`font-semibold text-brand underline-offset-4 hover:text-brand-strong hover:underline ${className}`}
    />
  )
}
