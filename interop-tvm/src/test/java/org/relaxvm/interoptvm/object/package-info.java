@NullMarked
package org.relaxvm.interoptvm.object;

import org.jspecify.annotations.NullMarked;
