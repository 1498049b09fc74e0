/** Parallel work on the host. */
@NullMarked
package org.relaxvm.api.parallel;

import org.jspecify.annotations.NullMarked;
