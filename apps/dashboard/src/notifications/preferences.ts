import { createPreference } from '../ui/preference.ts';

/**
 * What this browser does when something new arrives. Everything is off until the user turns it on.
 */
export const desktopNotifications = createPreference('notifications', ['off', 'on']);
export const notificationSound = createPreference('notification-sound', ['off', 'on']);
export const notificationContent = createPreference('notification-content', ['shown', 'hidden']);

/** Browsers offer notifications and locks between tabs only over https and on localhost. */
export const isSupported = (): boolean => 'Notification' in window && 'locks' in navigator;
