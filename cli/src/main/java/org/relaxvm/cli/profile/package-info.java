/**
 * Recordings of runs: {@link org.relaxvm.cli.profile.ProfileRecorder} makes a {@link
 * org.relaxvm.cli.profile.Profile} with the flight recorder, {@link
 * org.relaxvm.cli.profile.ProfileSummary} adds it up, and {@link
 * org.relaxvm.cli.profile.TraceWriter} writes it for a viewer of traces.
 */
@NullMarked
package org.relaxvm.cli.profile;

import org.jspecify.annotations.NullMarked;
