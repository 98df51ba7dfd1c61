// format.ts
export const kilobytes = (count: string) => `${count} kB`;
export const megabytes = (count: string) => `${count} MB`;
export const milliseconds = (count: string) => `${count} ms`;
export const seconds = (count: string) => `${count} s`;
export const minutesAndSeconds = (time: { minutes: number; seconds: number }) =>
  `${time.minutes} min ${time.seconds} s`;
export const hoursAndMinutes = (time: { hours: number; minutes: number }) =>
  `${time.hours} h ${time.minutes} min`;
/** Two days and more. */
export const days = (count: number) => `${count} days`;
export const today = 'Today';
export const dayAndTime = ({ day, time }: { day: string; time: string }) => `${day}, ${time}`;
