/** When memory of programs returns to its allocator. */
@NullMarked
package org.relaxvm.integrationtests.memory;

import org.jspecify.annotations.NullMarked;
