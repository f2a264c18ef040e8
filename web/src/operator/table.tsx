import { useId, useState, type ReactNode } from 'react'
import { FoldButton } from '../parts/fold-button.tsx'

/** The name of a column, and what it shows of an item. */
export type Column<T> = readonly [name: string, show: (item: T) => ReactNode, className?: string]

interface TableProps<T> {
  readonly columns: readonly Column<T>[]
  readonly items: readonly T[]
  readonly keyOf: (item: T) => string
  /** what a row unfolds to, with a button in its first column */
  readonly detail?: (item: T) => ReactNode
}

/** A table; on a phone each of its rows is a card. */
export function Table<T>({ columns, items, keyOf, detail }: TableProps<T>) {
  return (
    <table className="op-table">
      <thead>
        <tr>
          {columns.map(([name]) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <Row key={keyOf(item)} columns={columns} item={item} detail={detail} />
        ))}
      </tbody>
    </table>
  )
}

function Row<T>({
  columns,
  item,
  detail,
}: Pick<TableProps<T>, 'columns'> & { item: T; detail: TableProps<T>['detail'] }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <>
      <tr className={isOpen ? 'op-row open' : 'op-row'}>
        {columns.map(([name, show, className], at) => (
          <td key={name} data-label={name} className={className}>
            {detail && at === 0 ? (
              <FoldButton className="op-unfold" isOpen={isOpen} onToggle={setOpen} controls={id}>
                {show(item)}
              </FoldButton>
            ) : (
              show(item)
            )}
          </td>
        ))}
      </tr>
      {detail && isOpen && (
        <tr className="op-detail" id={id}>
          <td colSpan={columns.length}>{detail(item)}</td>
        </tr>
      )}
    </>
  )
}
