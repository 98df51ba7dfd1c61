import type { Database } from '../database.ts';

export interface User {
  id: string;
  email: string;
  name: string;
}

/** People who sign in. Emails are lower-cased by the caller. */
export interface UserStore {
  /** Null when the email is taken. */
  create(user: User & { passwordHash: string; createdAt: Date }): Promise<User | null>;
  findByEmail(email: string): Promise<(User & { passwordHash: string }) | null>;
  exists(): Promise<boolean>;
}

const PUBLIC = { id: true, email: true, name: true } as const;

export function createUserStore({ prisma }: Pick<Database, 'prisma'>): UserStore {
  return {
    async create(user) {
      const [created] = await prisma.user.createManyAndReturn({
        data: [user],
        skipDuplicates: true,
        select: PUBLIC,
      });
      return created ?? null;
    },
    findByEmail: (email) =>
      prisma.user.findUnique({ where: { email }, select: { ...PUBLIC, passwordHash: true } }),
    exists: async () => (await prisma.user.findFirst({ select: { id: true } })) !== null,
  };
}
