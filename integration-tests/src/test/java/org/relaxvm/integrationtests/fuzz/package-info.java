/**
 * Damaged files: whatever the bytes, reading, printing, linking and running them ends in one of our
 * errors, within bounds of memory and time.
 *
 * <p>Start reading at {@link org.relaxvm.integrationtests.fuzz.FuzzTest}.
 */
@NullMarked
package org.relaxvm.integrationtests.fuzz;

import org.jspecify.annotations.NullMarked;
