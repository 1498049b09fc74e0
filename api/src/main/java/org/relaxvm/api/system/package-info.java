/** Pages and threads as the operating system manages them: huge pages, affinity to processors. */
@NullMarked
package org.relaxvm.api.system;

import org.jspecify.annotations.NullMarked;
