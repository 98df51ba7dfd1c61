import { useQuery } from '@tanstack/react-query';
import { type ReactNode, createContext, use } from 'react';
import { useApi } from '../api/api-context.tsx';
import { workspaceQuery } from '../api/workspace-queries.ts';
import { countryOf } from './country-of.ts';

const CountryContext = createContext<string | null>(null);

/** Provides the country with which the numbers are read that people type in a workspace. */
export function CountryProvider(props: { workspaceId: string; children: ReactNode }) {
  const { data } = useQuery(workspaceQuery(useApi(), props.workspaceId));
  return (
    <CountryContext value={data === undefined ? null : countryOf(data)}>
      {props.children}
    </CountryContext>
  );
}

/** Returns the country of the workspace, ISO 3166 alpha-2; null if it is unknown. */
export const useCountry = (): string | null => use(CountryContext);
