import { Component, type ReactNode, createRef } from 'react';

interface Props {
  /** The id of the first item. When it changes, items were added above. */
  first: string | undefined;
  children: ReactNode;
}

interface Place {
  item: Element;
  top: number;
}

/**
 * Keeps the item that the user reads in its place when items are added above it. Browsers do not do this at the very top of
 * a scroller, where the button for older items is. A class, because only a class can measure just before a change.
 */
export class KeptPlace extends Component<Props> {
  readonly #content = createRef<HTMLDivElement>();

  override getSnapshotBeforeUpdate({ first }: Props): Place | null {
    const content = this.#content.current;
    const scroller = content?.closest('.scroller');
    if (content === null || scroller == null || first === this.props.first) return null;
    const { top } = scroller.getBoundingClientRect();
    for (const item of content.querySelectorAll('[data-item]')) {
      const box = item.getBoundingClientRect();
      if (box.bottom > top) return { item, top: box.top };
    }
    return null;
  }

  override componentDidUpdate(_props: Props, _state: object, place: Place | null): void {
    const scroller = this.#content.current?.closest('.scroller');
    if (place === null || scroller == null || !place.item.isConnected) return;
    scroller.scrollTop += place.item.getBoundingClientRect().top - place.top;
  }

  override render(): ReactNode {
    return <div ref={this.#content}>{this.props.children}</div>;
  }
}
