/** Parameters of a program in a file of their own, apart from its constants. */
@NullMarked
package org.relaxvm.vmcore.params;

import org.jspecify.annotations.NullMarked;
