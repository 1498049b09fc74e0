/**
 * Times of a device's work, as flight recorder events. A backend keeps a {@link
 * org.relaxvm.backendsupport.profile.DeviceTimeline} per device, hands it what it submits while
 * somebody records, and tells its {@link org.relaxvm.backendsupport.profile.DeviceClock} now and
 * then what time it is.
 */
@NullMarked
package org.relaxvm.backendsupport.profile;

import org.jspecify.annotations.NullMarked;
