@NullMarked
package org.relaxvm.backendsupport.vendor;

import org.jspecify.annotations.NullMarked;
