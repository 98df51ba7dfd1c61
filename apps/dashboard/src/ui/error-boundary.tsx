import { Component, type ReactNode } from 'react';
import { LoadFailure } from './notice.tsx';

/** Shows an error in place of a panel that failed to render, for example on a page that the browser has translated. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <LoadFailure error={error} onRetry={() => this.setState({ error: null })} />;
  }
}
